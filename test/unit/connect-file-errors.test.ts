/** The file system's refusals as sentences that say which path and what to do. */
import { describe, expect, it } from 'vitest';
import { absent, fileError } from '../../electron/connect/config-file';
import { HarborError } from '../../electron/contract/errors';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the system puts it`), { code });
}

describe('fileError', () => {
  it.each([
    ['EACCES', 'change the permissions'],
    ['EPERM', 'quit the program'],
    ['EROFS', 'read-only'],
    ['ENOSPC', 'free some space'],
    ['EDQUOT', 'free some space'],
    ['EISDIR', 'move it away'],
    ['ENOTDIR', 'is a file'],
    ['ELOOP', 'correct them'],
    ['EBUSY', 'quit that program'],
    ['EIO', 'EIO'],
  ])('says of %s what to do', (code, remedy) => {
    const error = fileError(systemError(code), 'config_unwritable', 'written', '/a/b.json');
    expect(error).toMatchObject({ name: 'HarborError', code: 'config_unwritable' });
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(/^\/a\/b\.json cannot be written: .* and try again\.$/),
    );
    expect(error).toHaveProperty('message', expect.stringContaining(remedy));
  });

  it('leaves alone what is no system error', () => {
    const ours = new HarborError('config_foreign', 'x');
    const defect = new TypeError('y');
    expect(fileError(ours, 'config_unwritable', 'read', '/a')).toBe(ours);
    expect(fileError(defect, 'config_unwritable', 'read', '/a')).toBe(defect);
  });
});

describe('absent', () => {
  it('answers nothing for a missing path and throws all else', () => {
    expect(absent(systemError('ENOENT'))).toBeUndefined();
    expect(() => absent(systemError('EACCES'))).toThrow('EACCES');
  });
});
