"""The calls with the client that openapi-python-client makes."""

import os

from protection import AuthenticatedClient
from protection.api.cases import get_report
from protection.api.creators import enroll_creator, get_creator, list_creators, resend_invitation
from protection.api.events import list_events
from protection.models import EmptyBody, EnrollCreatorBody

name = os.environ["SVC_NAME"]
client = AuthenticatedClient(base_url=os.environ["SVC_URL"], token=os.environ["SVC_KEY"])

roster = list_creators.sync(client=client, limit=100)
print("list", len(roster.data))
user = next(each.svc_user_id for each in roster.data if each.external_id.startswith("svc:"))

body = {"workspace_id": os.environ["SVC_WORKSPACE"], "display_name": "Ivy Calloway"}
link = EnrollCreatorBody(**body, external_id=name + "-link", svc_user_id=user)
answer = enroll_creator.sync_detailed(client=client, body=link)
linked = answer.parsed
print("link", int(answer.status_code), linked.protection_status, linked.created_at)

person = {"email": name + "@talent.example", "first_name": "Ivy", "last_name": "Calloway"}
invitation = EnrollCreatorBody(**body, **person, external_id=name + "-invite")
invited = enroll_creator.sync(client=client, body=invitation)
print("invite", invited.enrollment_status, invited.email_sent)

both = EnrollCreatorBody(**body, **person, external_id=name + "-invite", svc_user_id=user)
wrong = enroll_creator.sync_detailed(client=client, body=both)
print(int(wrong.status_code), wrong.parsed.error.code, len(wrong.parsed.error.details))
unknown = get_creator.sync_detailed("crt_01m84shndyfewanvze4qf2ae58", client=client)
print(int(unknown.status_code), unknown.parsed.error.code)
# One message a minute: the second is refused.
resend = {"client": client, "body": EmptyBody()}
resend_invitation.sync_detailed(invited.id, **resend, idempotency_key=name + "-first")
early = resend_invitation.sync_detailed(invited.id, **resend, idempotency_key=name + "-second")
print(int(early.status_code), early.parsed.error.code)

report = get_report.sync_detailed(linked.id, client=client)
print("report", report.content.decode().split(",")[0])
event = list_events.sync(client=client, limit=100).data[0]
print("events", event.type_, event.data.creator.id == event.data.creator_id)
