"""Removes sum variables that nothing depends on."""

from __future__ import annotations

from dataclasses import replace

from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import variables_of

__all__ = ["without_unused_variables"]


def without_unused_variables(process: LinearProcess) -> LinearProcess:
    """Remove variables that do not occur in their summand: all values give the same step.

    In muCRL a sort without constructors may be empty, so variables of such sorts remain; in mCRL2
    all sorts have values.
    """
    specification = process.specification
    inhabited = {f.sort for f in specification.functions if f.constructor}
    if specification.loose:
        inhabited.update(specification.sorts)
    remarks = []

    def used(summand: Summand) -> Summand:
        occurring = {v for term in summand.terms for v in variables_of(term)}
        remaining = tuple(v for v in summand.variables if v in occurring or v.sort not in inhabited)
        if remaining == summand.variables:
            return summand
        for variable in summand.variables:
            if variable not in remaining:
                remarks.append(
                    f"variable `{variable}` of summand `{summand.action or 'tau'}` "
                    f"({process.where(summand)}) is removed: it is never used"
                )
        return replace(summand, variables=remaining)

    summands = tuple(map(used, process.summands))
    if not remarks:
        return process
    return replace(process, summands=summands, remarks=(*process.remarks, *remarks))
