"""Verifies deliveries, one JSON object a line, with the libraries of PyPI; prints what they say of each."""
import json
import sys

import stripe
from standardwebhooks import Webhook


def accepted(verify):
    try:
        verify()
        return True
    except Exception:
        return False


for line in sys.stdin:
    delivery = json.loads(line)
    secret, headers, body = delivery["secret"], delivery["headers"], delivery["body"]
    signature = headers["X-SVC-Signature"]
    print(json.dumps({
        "standardwebhooks": accepted(lambda: Webhook(secret).verify(body, headers)),
        "stripe": accepted(lambda: stripe.WebhookSignature.verify_header(body, signature, secret, 300)),
    }))
