"""A client of the Language Server Protocol, written from its specification, for one server."""

import json
import subprocess
import threading
from queue import Queue

from programs import PATIENCE, PROGRAM, start

WITH_BOUNDS = """
from lts.base import bounds
for name, default in {defaults!r}.items():
    getattr(bounds, name).default = default
"""


class Client:
    """Talks to `ltstool language-server` as an editor does, over its standard streams."""

    def __init__(self, folder, **defaults):
        """Start the server, with other defaults of bounds."""
        self.folder = folder
        *python, code = PROGRAM
        program = [*python, WITH_BOUNDS.format(defaults=defaults) + code]
        self.process = start("language-server", program=program, stdin=subprocess.PIPE, cwd=folder)
        self.messages = Queue()
        self.number = 0
        self.diagnostics = {}
        self.results = {}
        threading.Thread(target=self._receive, daemon=True).start()
        capabilities = {"general": {"positionEncodings": ["utf-16"]}}
        self.server = self.ask(
            "initialize", processId=None, rootUri=folder.as_uri(), capabilities=capabilities
        )
        self.tell("initialized")

    def _receive(self):
        output = self.process.stdout
        while header := output.readline():
            length = 0
            while header.strip():
                name, _, value = header.decode().partition(":")
                length = int(value) if name.lower() == "content-length" else length
                header = output.readline()
            self.messages.put(json.loads(output.read(length)))
        self.messages.put(None)

    def _send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0"} | message).encode())

    def write(self, body):
        """Send the bytes of a message."""
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _message(self):
        message = self.messages.get(timeout=PATIENCE)
        assert message is not None, self.process.stderr.read().decode()
        return message

    def tell(self, method, **params):
        """Send a notification."""
        self._send(method=method, params=params)

    def ask(self, method, **params):
        """Send a request and return its result; an error of the server raises `Refused`."""
        return self.result(self.send(method, **params))

    def send(self, method, **params):
        """Send a request, and return its number."""
        self.number += 1
        self._send(id=self.number, method=method, params=params)
        return self.number

    def result(self, number):
        """Return the result of a request."""
        while number not in self.results:
            self._note(self._message())
        message = self.results.pop(number)
        if "error" in message:
            raise Refused(message["error"]["message"], message["error"]["code"])
        return message["result"]

    def _note(self, message):
        if "method" not in message:
            self.results[message["id"]] = message
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"]] = (params.get("version"), params["diagnostics"])
        assert message.get("method") != "window/showMessage", message

    def uri(self, name):
        return name if ":" in name else (self.folder / name).as_uri()

    def errors(self, name, version):
        """Return the errors of a version of a text, once they are there."""
        while self.diagnostics.get(self.uri(name), ("none", []))[0] != version:
            self._note(self._message())
        return self.diagnostics[self.uri(name)][1]

    def begin(self, name, text, version=1, language=""):
        """Open a text."""
        self.diagnostics.pop(self.uri(name), None)
        document = {"uri": self.uri(name), "languageId": language, "version": version, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)

    def open(self, name, text, version=1, language=""):
        """Open a text and return its errors."""
        self.begin(name, text, version, language)
        return self.errors(name, version)

    def change(self, name, changes, version):
        """Change a text and return its errors."""
        document = {"uri": self.uri(name), "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=changes)
        return self.errors(name, version)

    def at(self, method, name, line, character, **params):
        """Send a request about a position, counted from 0."""
        document, position = {"uri": self.uri(name)}, {"line": line, "character": character}
        return self.ask(
            f"textDocument/{method}", textDocument=document, position=position, **params
        )

    def about(self, method, name, **params):
        """Send a request about a text."""
        return self.ask(f"textDocument/{method}", textDocument={"uri": self.uri(name)}, **params)

    def end(self):
        """End the server, and return its exit code."""
        self.ask("shutdown")
        return self.leave()

    def leave(self):
        """Send `exit`, and return the exit code."""
        self.tell("exit")
        code = self.process.wait(PATIENCE)
        self.close()
        return code

    def close(self):
        """Close the streams."""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


class Refused(Exception):
    """The server answered with an error."""
