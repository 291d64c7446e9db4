import type {Client} from '../../client/types.js'
import {systemClock} from '../../core/clock.js'
import type {QuotaClass} from '../../quota/quota.js'
import type {CommandContext} from '../app/command-context.js'
import {type Progress, startProgress} from '../terminal/progress.js'
import {type ClientFlags, type OpenedClient, openClient} from './open-client.js'

type NeedsFlags = ClientFlags & {
  quiet?: boolean | undefined
  verbose?: boolean | undefined
  'output-file'?: string | undefined
}

/** The service, and the line that shows how far the work with it is. */
export type ClientNeeds = {
  /** Opened by the first request, so that work without requests needs no credentials. */
  lazy: LazyClient
  progress: Progress
  /** To be called however the work ends. */
  close(): void
}

export type OpenedNeeds = {opened: OpenedClient; progress: Progress}

type Opening = {
  open: () => Promise<OpenedClient>
  /** Data goes to the same terminal as the progress; unless given, where it goes to no file. */
  sharesTerminal?: boolean
}

/** Opens what any work with the service needs; every command that reads or writes begins here. */
export async function openNeeds(
  {quiet = false, verbose = false, 'output-file': file}: NeedsFlags,
  {messages}: Pick<CommandContext, 'messages'>,
  {open, sharesTerminal = file === undefined && process.stdout.isTTY === true}: Opening,
): Promise<ClientNeeds> {
  const lazy = createLazyClient(open)
  const progress = await startProgress({
    ...{quiet, verbose, sharesTerminal, clock: systemClock, print: messages.detail},
    quotaLeft: () => lazy.opened?.client.quota().left,
  })
  const close = () => {
    progress.end()
    lazy.opened?.client.close()
  }
  return {lazy, progress, close}
}

/** The same for work that asks the service in any case, which is closed however it ends. */
export async function withNeeds<Result>(
  flags: NeedsFlags,
  context: CommandContext,
  work: (needs: OpenedNeeds) => Promise<Result>,
  quotaClass?: QuotaClass,
): Promise<Result> {
  const needs = await openNeeds(flags, context, {open: () => openClient(flags, context, quotaClass)})
  try {
    return await work({opened: await needs.lazy.open(), progress: needs.progress})
  } finally {
    needs.close()
  }
}

/** A client that is opened once, when it is first needed, so that work without requests needs no credentials. */
export type LazyClient = {
  client: Pick<Client, 'write' | 'readPages'>
  open(): Promise<OpenedClient>
  /** The client that was opened before. */
  require(): OpenedClient
  /** Undefined while nothing needed it. */
  readonly opened: OpenedClient | undefined
}

function createLazyClient(openOnce: () => Promise<OpenedClient>): LazyClient {
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
