#!/usr/bin/env python3
"""A client of the ACL2 Bridge as existing ones are written, with the standard library only.

    bridge-client.py PORT|PATH bytes|characters

connects, and then takes commands from stdin, a JSON array [TYPE, CONTENT] a line. For each it prints a line, a JSON
object of the messages up to the next READY: those of one type joined, as {"STDOUT": "...", "RETURN": "..."}. The first
line is the name of the worker. The second argument is what the length of a command counts: clients differ.
"""

import json
import socket
import sys


class Bridge:
    """A connection: messages are read in bytes, for that is what their lengths count."""

    def __init__(self, place, counts):
        if place.isdigit():
            self._socket = socket.create_connection(("127.0.0.1", int(place)))
        else:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.connect(place)
        self._stream = self._socket.makefile("rb")
        self._counts = counts
        kind, self.worker = self.receive()
        if kind != "ACL2_BRIDGE_HELLO":
            raise ValueError(f"{kind} is no greeting")
        self.until_ready()

    def receive(self):
        """The type and the content of the next message."""
        header = self._stream.readline().decode("ascii")
        if not header:
            raise EOFError("the connection was closed")
        kind, length = header.removesuffix("\n").split(" ")
        content = self._stream.read(int(length)).decode("utf-8")
        if self._stream.read(1) != b"\n":
            raise ValueError(f"no newline after {length} bytes of {kind}")
        return kind, content

    def until_ready(self):
        """The contents of all messages up to READY, joined by their types."""
        messages = {}
        while True:
            kind, content = self.receive()
            if kind == "READY":
                return messages
            messages[kind] = messages.get(kind, "") + content

    def command(self, kind, content):
        """What COMMAND is answered with."""
        encoded = content.encode("utf-8")
        length = len(encoded) if self._counts == "bytes" else len(content)
        self._socket.sendall(f"{kind} {length}\n".encode("ascii") + encoded + b"\n")
        return self.until_ready()


def main():
    """Serves stdin and stdout."""
    place, counts = sys.argv[1:]
    bridge = Bridge(place, counts)
    print(json.dumps(bridge.worker), flush=True)
    for line in sys.stdin:
        print(json.dumps(bridge.command(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
