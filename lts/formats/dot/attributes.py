"""The table of attributes of the DOT language: read, drawing, or with a meaning and refused.

An attribute that is in none of them is left out, and a warning names it.
"""

from __future__ import annotations

__all__ = ["DRAWING", "READ", "REFUSED"]

READ = frozenset({"label", "shape", "style", "fillcolor", "peripheries"})

REFUSED = {
    # Of modal transition systems (AutomataLib): a step that may be there is none.
    "modality": (),
    # An arrow that is drawn backwards, in both directions or as a line.
    "dir": ("forward",),
}
"""Attributes that change what an edge means, and values for which they do not."""

_DRAWING = """
_background area arrowhead arrowsize arrowtail bb beautify bgcolor center charset class cluster
clusterrank color colorscheme comment compound concentrate constraint Damping decorate
defaultdist dim dimen diredgeconstraints distortion dpi edgehref edgetarget edgetooltip edgeURL
epsilon esep fixedsize fontcolor fontname fontnames fontpath fontsize forcelabels gradientangle
group head_lp headclip headhref headport headtarget headtooltip headURL height href id image
imagepath imagepos imagescale inputscale K label_scheme labelangle labeldistance labelfloat
labelfontcolor labelfontname labelfontsize labelhref labeljust labelloc labeltarget labeltooltip
labelURL landscape layer layerlistsep layers layerselect layersep layout len levels levelsgap
lheight linelength lp lwidth margin maxiter mclimit mindist minlen mode model newrank nodesep
nojustify normalize notranslate nslimit nslimit1 oneblock ordering orientation outputorder
overlap overlap_scaling overlap_shrink pack packmode pad page pagedir pencolor penwidth pin pos
quadtree quantum radius rank rankdir ranksep ratio rects regular remincross repulsiveforce
resolution root rotate rotation samehead sametail samplepoints scale searchsize sep
shapefile showboxes sides size skew smoothing sortv splines start stylesheet tail_lp tailclip
tailhref tailport tailtarget tailtooltip tailURL target TBbalance tooltip truecolor URL vertices
viewport voro_margin weight width xdotversion xlp z
"""

DRAWING = frozenset(_DRAWING.split())
"""Attributes of Graphviz that only lay out, colour or document."""
