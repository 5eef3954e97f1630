"""Jupyter's own client: starts a kernel by its specification, runs cells, and prints what came as JSON.

Arguments: the name of the kernel. JUPYTER_DATA_DIR has its specification.
"""
import json
import sys

from jupyter_client import KernelManager

manager = KernelManager(kernel_name=sys.argv[1])
manager.start_kernel(stderr=sys.stderr)
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)


def run(code, **more):
    published = []
    reply = client.execute_interactive(
        code,
        timeout=60,
        output_hook=lambda message: published.append([message["msg_type"], message["content"]]),
        stdin_hook=lambda message: client.input("typed"),
        **more,
    )
    return {"reply": reply["content"], "published": published}


def answer_to(request):
    while True:
        message = client.get_shell_msg(timeout=60)
        if message["parent_header"]["msg_id"] == request:
            return message["content"]


answers = {
    "values": run('(format t "hello~%") (values 1 2)'),
    "read": run("(list (read-line))", allow_stdin=True),
    "failed": run('(error "on purpose")'),
    "completed": answer_to(client.complete("(mapc", 5)),
    "inspected": answer_to(client.inspect("mapcar", 3)),
}
looping = client.execute("(progn (print :began) (finish-output) (loop))")
while client.get_iopub_msg(timeout=60)["msg_type"] != "stream":
    pass
manager.interrupt_kernel()
answers["interrupted"] = answer_to(looping)
manager.restart_kernel()
client.wait_for_ready(timeout=60)
answers["restarted"] = run("(+ 1 1)")
answers["beats"] = client.hb_channel.is_beating()
client.stop_channels()
manager.shutdown_kernel()
print(json.dumps(answers))
