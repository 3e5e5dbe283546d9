"""Specifications, whatever language they were written in: what every front ends in.

`terms` are data, `specification` has processes over them and everything that is declared. `source`
knows lines and places of the text, `report` collects what is wrong with it, `spelling` guesses
what a name was meant to be. `generators` lets functions recur deeper than Python does, `gc_pause`
builds large trees in linear time."""
