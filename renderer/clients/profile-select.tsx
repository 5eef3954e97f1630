/** Which profile a client is served, that is, the names of the tools it sees. */
import { useProfiles } from '../bridge-queries';
import { Chooser } from '../parts/field';
import { useServices } from '../services';

interface ProfileChoiceProps {
  /** As the history calls it. */
  client: string;
  /** As the page calls it. */
  title: string;
}

export function ProfileChoice({ client, title }: ProfileChoiceProps) {
  const { actions } = useServices();
  const { data } = useProfiles();
  if (!data) return null;
  const { usual, known, chosen } = data;
  const choices = [
    { value: '', title: `Usual profile (${usual})` },
    ...known.map((profile) => ({ value: profile, title: profile })),
  ];
  return (
    <Chooser
      label={`Profile of ${title}`}
      value={chosen[client] ?? ''}
      choices={choices}
      onChange={(profile) => void actions.chooseProfile(client, profile || null)}
    />
  );
}
