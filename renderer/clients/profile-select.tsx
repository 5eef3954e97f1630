/** Chooses the profile of a client: the set of tools that it sees. */
import { useProfiles } from '../bridge-queries';
import { Select } from '../parts/field';
import { useServices, useWords } from '../services';

interface ProfileSelectProps {
  /** As the history calls it. */
  client: string;
  /** As the page calls it. */
  title: string;
}

export function ProfileSelect({ client, title }: ProfileSelectProps) {
  const words = useWords();
  const { actions } = useServices();
  const { data } = useProfiles();
  if (!data) return null;
  const { usual, known, chosen } = data;
  const options = [
    { value: '', title: words.clients.usualProfile(usual) },
    ...known.map((profile) => ({ value: profile, title: profile })),
  ];
  return (
    <Select
      label={words.clients.profileOf(title)}
      value={chosen[client] ?? ''}
      options={options}
      onChange={(profile) => void actions.clients.chooseProfile(client, profile || null)}
    />
  );
}
