/** The address of a Lisply backend, as people write it. */
import { HarborError } from '../../contract/errors';
import { ServerAddress } from '../../contract/server';

const DEFAULT_PORT = 80;

/** @param text such as http://127.0.0.1:9081/lisply @throws HarborError `bad_arguments` */
export function lisplyAddress(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  const prefix = url?.pathname.replaceAll(/^\/|\/$/g, '');
  const address = ServerAddress.safeParse({
    kind: 'lisply',
    host: url?.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url?.port ? Number(url.port) : DEFAULT_PORT,
    ...(prefix ? { prefix } : {}),
  });
  if (url?.protocol === 'http:' && url.search === '' && address.success) return address.data;
  throw new HarborError(
    'bad_arguments',
    `${text} is no address of a Lisply backend: give one such as http://127.0.0.1:9081/lisply.`,
  );
}
