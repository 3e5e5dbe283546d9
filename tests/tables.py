"""Tables of Markdown documents, whose rows are tried."""

import re


def rows(section):
    """Return the cells of the tables in a section, without their headings."""
    found, before = [], ""
    for line in section.splitlines():
        if line.startswith("| ") and before.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found.append([cell.strip().replace("\\|", "|") for cell in cells])
        before = line
    return found
