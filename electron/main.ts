/** Desktop entry: has code that was compiled before used again, and loads the rest. */
import { commandLine } from './host/command-words';
import { keepCompiledCode } from './host/compiled-code';

keepCompiledCode(commandLine(process));
await import('./window');
