#!/usr/bin/env python3
"""Carries MCP between stdin and stdout and a server that speaks it in lines over TCP.

    stdio_tcp_bridge.py --host 127.0.0.1 --port N

N is the port of "lisp-harbor serve --tcp-port N". At the end of stdin it waits for the answers that are due,
and exits with 0; with 1 when the server cannot be reached, or goes away. Standard library only.
"""
import argparse
import json
import socket
import sys
import threading


class Bridge:
    """One connection. What was asked and not yet answered is counted, so that the end of stdin loses no answer."""

    def __init__(self, connection):
        self.connection = connection
        self.changed = threading.Condition()
        self.due = set()
        self.asked_all = False
        self.lost = False

    def run(self):
        """Carries lines until there is nothing left to carry; answers the exit code."""
        for work in (self.send, self.receive):
            threading.Thread(target=work, daemon=True).start()
        with self.changed:
            self.changed.wait_for(lambda: self.lost or (self.asked_all and not self.due))
            return 1 if self.due or not self.asked_all else 0

    def send(self):
        """From stdin to the server."""
        try:
            for line in sys.stdin.buffer:
                self.note(line, lambda message: self.due.add(key(message)) if "method" in message else None)
                self.connection.sendall(line if line.endswith(b"\n") else line + b"\n")
            self.change(asked_all=True)
        except OSError:
            self.change(lost=True)

    def receive(self):
        """From the server to stdout."""
        try:
            with self.connection.makefile("rb") as lines:
                for line in lines:
                    sys.stdout.buffer.write(line)
                    sys.stdout.buffer.flush()
                    self.note(line, lambda message: self.due.discard(key(message)) if "method" not in message else None)
        except OSError:
            pass
        self.change(lost=True)

    def note(self, line, count):
        """Counts a message that has an id; the server says what is wrong with a line that is none."""
        try:
            message = json.loads(line)
        except ValueError:
            return
        if isinstance(message, dict) and message.get("id") is not None:
            with self.changed:
                count(message)
                self.changed.notify()

    def change(self, **state):
        with self.changed:
            vars(self).update(state)
            self.changed.notify()


def key(message):
    """The id of a message: 1 and "1" are two."""
    return json.dumps(message["id"])


def main():
    parser = argparse.ArgumentParser(description="MCP over stdin and stdout, from a server on a TCP port.")
    parser.add_argument("--host", default="127.0.0.1", help="where the server listens (default: %(default)s)")
    parser.add_argument("--port", type=int, required=True, help="its port")
    arguments = parser.parse_args()
    try:
        connection = socket.create_connection((arguments.host, arguments.port))
    except OSError as error:
        print(f"No server at {arguments.host}:{arguments.port}: {error}", file=sys.stderr)
        return 1
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection:
        code = Bridge(connection).run()
    if code != 0:
        print("The server has closed the connection.", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
