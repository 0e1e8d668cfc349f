"""`dabba bench route`: are questions for an order recognised, and are others left alone?"""
