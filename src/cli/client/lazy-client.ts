import type {Client} from '../../client/types.js'
import type {OpenedClient} from './open-client.js'

/** A client that is opened once, when it is first needed, so that work without requests needs no credentials. */
export type LazyClient = {
  client: Pick<Client, 'write' | 'readPages'>
  open(): Promise<OpenedClient>
  /** The client that was opened before. */
  require(): OpenedClient
  /** Undefined while nothing needed it. */
  readonly opened: OpenedClient | undefined
}

export function createLazyClient(openOnce: () => Promise<OpenedClient>): LazyClient {
  let opened: OpenedClient | undefined
  const open = async () => {
    opened ??= await openOnce()
    return opened
  }

  const readPages: Client['readPages'] = async function* (id, request) {
    const {client} = await open()
    yield* client.readPages(id, request)
  }

  return {
    client: {write: async (...given) => (await open()).client.write(...given), readPages},
    open,
    require() {
      if (!opened) throw new TypeError('the client was not opened')
      return opened
    },
    get opened() {
      return opened
    },
  }
}
