// Following the trace step by step, at a speed.
"use strict";

/** Milliseconds between two steps at the usual speed. */
const BEAT = 900;

class Player {
  constructor(app) {
    this.app = app;
    this.timer = null;
    this.button = document.getElementById("play");
  }

  get isPlaying() {
    return this.timer !== null;
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.start();
  }

  /** Plays from the position on the trace, or from its start if that is its end. */
  start() {
    const pane = this.app.active;
    if (pane.trace.length === 0) return;
    this.stop();
    if (pane.position >= pane.trace.length) this.app.along(-pane.position);
    this.pane = pane;
    this.timer = setTimeout(() => this.next(), this.pause());
    this.show();
  }

  pause() {
    return BEAT / Number(document.getElementById("speed").value);
  }

  next() {
    this.timer = null;
    const { app, pane } = this;
    if (app.active !== pane || pane.position >= pane.trace.length) return this.show();
    app.along(1);
    if (pane.position < pane.trace.length) this.timer = setTimeout(() => this.next(), this.pause());
    return this.show();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.show();
  }

  show() {
    this.button.textContent = this.isPlaying ? "❚❚ Pause" : "▶ Play";
    this.button.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play the trace");
    this.button.disabled = this.app.active.trace.length === 0;
  }
}
