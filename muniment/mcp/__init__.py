"""The MCP surface, over stdio and streamable HTTP: parse, call, render. The MCP SDK is known here alone."""
