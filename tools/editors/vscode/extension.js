// Starts `ltstool language-server`, which does all the work.
"use strict";

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { contributes } = require("./package.json");

let client;

function activate() {
  const command = workspace.getConfiguration("ltstool").get("command");
  const server = { command, args: ["language-server"] };
  const documentSelector = contributes.languages.map(({ id }) => ({ language: id }));
  client = new LanguageClient("ltstool", "ltstool", server, { documentSelector });
  return client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
