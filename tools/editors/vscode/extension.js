// Starts `ltstool language-server`, which does all the work.
"use strict";

const { window, workspace } = require("vscode");
const { CloseAction, LanguageClient } = require("vscode-languageclient/node");
const { contributes } = require("./package.json");

// If the server does not start, the library would show three messages, none of which says what to do.
class Client extends LanguageClient {
  isStarting = true;

  error(message, data, showNotification) {
    super.error(message, data, this.isStarting ? false : showNotification);
  }
}

let client;

async function activate() {
  const command = workspace.getConfiguration("ltstool").get("command");
  const server = { command, args: ["language-server"] };
  const documentSelector = contributes.languages.map(({ id }) => ({ language: id }));
  const errorHandler = {
    error: (...words) => usual.error(...words),
    closed: () =>
      (client?.isStarting ?? true) ? { action: CloseAction.DoNotRestart, handled: true } : usual.closed(),
  };
  const initializationFailedHandler = () => false;
  client = new Client("ltstool", "ltstool", server, {
    documentSelector,
    errorHandler,
    initializationFailedHandler,
  });
  const usual = client.createDefaultErrorHandler();
  try {
    await client.start();
    client.isStarting = false;
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `ltstool: the language server did not start (${command}: ${error.message}). Install ltstool ` +
        "with its extra `editor`, or name the program in the setting ltstool.command.",
    );
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
