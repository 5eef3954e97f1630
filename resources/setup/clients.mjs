/** `npm run clients`: an alias of `lisp-harbor clients`, run in this process. */
process.argv.splice(2, 0, 'clients');
await import('./lisp-harbor.mjs');
