/** The least that a bridge can do: what a client says goes to the local socket named, and what comes from there to the client. */
import { connect } from 'node:net';

const socket = connect(String(process.argv[2]));
process.stdin.pipe(socket).pipe(process.stdout);
