/** `npm run clients`: `lisp-harbor clients` by a name of its own, in this very process. */
process.argv.splice(2, 0, 'clients');
await import('./lisp-harbor.mjs');
