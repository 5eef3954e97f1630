"""A client as MCP-nREPL's document prints one, but for the token: it posts JSON-RPC, and asks for no session.

Usage: nrepl-client.py URL TOKEN TOOL JSON-ARGUMENTS; prints the result as JSON.
"""

import json
import sys
import urllib.request


class MCPClient:
    def __init__(self, url, token):
        self.url = url
        self.token = token
        self.request_id = 0

    def call_tool(self, name, arguments):
        self.request_id += 1
        body = {
            "jsonrpc": "2.0",
            "id": self.request_id,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        request = urllib.request.Request(
            self.url,
            data=json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                "Accept": "*/*",
                "Authorization": "Bearer " + self.token,
            },
        )
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
        assert answer["id"] == self.request_id
        return answer["result"]


def main():
    url, token, tool, arguments = sys.argv[1:]
    client = MCPClient(url, token)
    print(json.dumps(client.call_tool(tool, json.loads(arguments))))


main()
