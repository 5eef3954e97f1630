/** What a change of settings may say. */
import { describe, expect, it } from 'vitest';
import { SettingsChange } from '../../electron/contract/settings';

describe('a change of settings', () => {
  it('names what it changes and nothing else', () => {
    expect(SettingsChange.parse({ theme: 'dark' })).toEqual({ theme: 'dark' });
    expect(SettingsChange.parse({})).toEqual({});
  });

  it('can take a setting back to automatic', () => {
    expect(SettingsChange.parse({ engine: undefined })).toHaveProperty('engine', undefined);
  });
});
