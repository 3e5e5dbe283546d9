"""The documentation as a site: `make site`. All pages are the Markdown files of the repository."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

project = "ltstool"
author = "the authors of ltstool"
copyright = author
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Code blocks in languages without a highlighter are shown without highlighting.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "text"
html_theme = "furo"
html_title = f"ltstool {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/favicon.svg"
html_copy_source = False
# The pages are in docs/; the root of the site leads there.
html_extra_path = ["root"]
html_show_sourcelink = False
