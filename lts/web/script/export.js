// What is seen, as a file: SVG, PNG, TikZ or DOT.
"use strict";

/** Pixels of a PNG for each pixel of the page. */
const SHARPNESS = 2;
/** Pixels of the page that are a centimetre in TikZ. */
const CENTIMETRE = 50;

const EXPORTS = [
  ["SVG", "svg", async (pane) => new Blob([svgOf(pane)], { type: "image/svg+xml" })],
  ["PNG", "png", pngOf],
  ["TikZ", "tex", async (pane) => new Blob([tikzOf(pane)], { type: "text/plain" })],
  ["DOT", "dot", async (pane) => new Blob([dotOf(pane)], { type: "text/plain" })],
];

/** Saves what is seen of the active pane in a format. */
async function exported(app, format) {
  const [, suffix, made] = EXPORTS.find(([name]) => name === format);
  const blob = await made(app.active);
  const name = visible(app.active.system.title || app.content.title).split(/[\\/]/).pop().replace(/\.\w+(?=$|,)/, "").replace(/[^\w.-]+/g, "-");
  const link = element("a", { href: URL.createObjectURL(blob), download: `${name || "system"}.${suffix}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function svgOf(pane) {
  const { width, height } = pane.size();
  const vector = new Vector(width, height);
  new Painter(null, vector).draw(pane, width, height);
  return vector.whole();
}

function pngOf(pane) {
  const { width, height } = pane.size();
  const canvas = element("canvas", { width: SHARPNESS * width, height: SHARPNESS * height });
  const context = canvas.getContext("2d");
  context.scale(SHARPNESS, SHARPNESS);
  new Painter(null, context).draw(pane, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Returns the nodes that are seen, with their places on the canvas, and the arrows between them. */
function seen(pane) {
  const { width, height } = pane.size();
  const places = new Map();
  for (const node of pane.picture.nodes) {
    const [x, y] = pane.transform.apply([node.x, node.y]);
    if (x > 0 && y > 0 && x < width && y < height) places.set(node, [x, y]);
  }
  return { places, arrows: pane.picture.arrows.filter(({ source, target }) => places.has(source) && places.has(target)), height };
}

const TEX = { "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", "'": "\\textquotesingle{}", "`": "\\textasciigrave{}" };

/** A new line, after which a bracket is no option. */
const LINE = "\\\\{}";

function tex(text) {
  // Two hyphens would become a dash.
  return text.replace(/[\\{}$&#%_^~<>|'`]/g, (c) => TEX[c]).replace(/-(?=-)/g, "-{}");
}

/** Returns a picture for LaTeX, whose nodes and arrows are where they are seen. */
function tikzOf(pane) {
  const { places, arrows, height } = seen(pane);
  const { k } = pane.transform;
  const round = (length) => Math.round(length / CENTIMETRE * 1000) / 1000;
  const point = ([x, y]) => `(${round(x)}, ${round(height - y)})`;
  const name = (node) => (node.part === undefined ? `s${node.state}` : `p${node.part}`);
  const size = round(2 * RADIUS * k);
  const lines = [
    "% \\usepackage{tikz} \\usetikzlibrary{arrows.meta}",
    `\\begin{tikzpicture}[>={Stealth[round]}, font=\\footnotesize, state/.style={draw, circle, inner sep=0pt, minimum size=${size}cm}, deadlock/.style={draw, thick, rectangle, inner sep=0pt, minimum size=${size}cm}, part/.style={draw, rounded corners, align=center}, internal/.style={densely dotted}, jump/.style={dashed}, step label/.style={fill=white, inner sep=1pt, font=\\scriptsize}]`,
  ];
  const colours = new Map();
  for (const [node, place] of places) {
    if (node.part !== undefined) {
      lines.push(`  \\node[part] (${name(node)}) at ${point(place)} {${tex(visible(node.text))}${LINE}${tex(sizeText(node))}};`);
      continue;
    }
    const look = pane.colouring.looks(node.state);
    const words = [pane.system.isDeadlock(node.state) ? "deadlock" : "state"];
    if (node.state === pane.system.initial) words.push("very thick");
    if (look) {
      const fill = d3.rgb(look.fill).toString().match(/\d+/g).map((each) => Number(each).toString(16).padStart(2, "0")).join("").toUpperCase();
      if (!colours.has(fill)) colours.set(fill, `colour${colours.size}`);
      words.push(`fill=${colours.get(fill)}`, isBright(look.fill) ? "text=black" : "text=white");
    }
    lines.push(`  \\node[${words.join(", ")}] (${name(node)}) at ${point(place)} {${node.state}};`);
    if (node.state === pane.system.initial) lines.push(`  \\draw[->, very thick] ${point([place[0] - 45 * k, place[1]])} -- (${name(node)});`);
  }
  for (const { curve, kind, texts } of arrows) {
    const points = [0, 2, 4, 6].map((at) => point(pane.transform.apply([curve[at], curve[at + 1]])));
    const words = ["->", ...(kind & 2 ? ["jump"] : (kind & 1 ? ["internal"] : []))];
    lines.push(`  \\draw[${words.join(", ")}] ${points[0]} .. controls ${points[1]} and ${points[2]} .. node[step label, align=center] {${texts.map(tex).join(LINE)}} ${points[3]};`);
  }
  lines.push("\\end{tikzpicture}", "");
  const defined = [...colours].map(([fill, colour]) => `\\definecolor{${colour}}{HTML}{${fill}}`);
  return [lines[0], ...defined, ...lines.slice(1)].join("\n");
}

/** Returns a graph for Graphviz, whose nodes are where they are seen (for `neato -n`). */
function dotOf(pane) {
  const { places, arrows, height } = seen(pane);
  const { system } = pane;
  const quoted = (text) => `"${text.replace(/\\/g, "\\\\").replace(/"/g, "\\\"").replace(/\n/g, "\\n")}"`;
  const name = (node) => (node.part === undefined ? String(node.state) : `p${node.part}`);
  const position = ([x, y]) => `pos="${Math.round(x)},${Math.round(height - y)}!"`;
  const lines = ["digraph {", "  node [shape=circle]"];
  for (const [node, [x, y]] of places) {
    if (node.initial) {
      lines.push(`  start [shape=point, label="", ${position([x - 45 * pane.transform.k, y])}]`, `  start -> ${name(node)}`);
    }
  }
  for (const [node, place] of places) {
    const words = [position(place)];
    if (node.part !== undefined) words.push("shape=box", `label=${quoted(`${node.text}\n${sizeText(node)}`)}`);
    const look = node.part === undefined ? pane.colouring.looks(node.state) : null;
    if (look) words.push("style=filled", `fillcolor="${look.fill}"`);
    lines.push(`  ${name(node)} [${words.join(", ")}]`);
  }
  for (const arrow of arrows) {
    const isPart = arrow.source.part !== undefined || arrow.target.part !== undefined;
    const labels = isPart ? arrow.texts : arrow.rows.map((row) => system.labels[system.label[row]]);
    const style = arrow.kind & 2 ? ", style=dashed" : (arrow.kind & 1 ? ", style=dotted" : "");
    for (const label of labels) lines.push(`  ${name(arrow.source)} -> ${name(arrow.target)} [label=${quoted(label)}${style}]`);
  }
  lines.push("}", "");
  return lines.join("\n");
}
