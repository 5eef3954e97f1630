/**
 * Loaded into programs with a command line that Electron runs for the tests. Their parser takes any other Electron for a
 * packaged app, whose arguments begin one place earlier.
 */
import process from 'node:process';

Object.assign(process, { defaultApp: true });
