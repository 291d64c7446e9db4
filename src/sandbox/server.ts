import {randomBytes} from 'node:crypto'
import {headers as names} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import {createCore} from './core.js'
import {createHttp} from './http.js'
import type {Sandbox, SandboxOptions} from './options.js'
import {addRecord} from './store/record-store.js'

export type {Sandbox, SandboxOptions} from './options.js'

/** Starts the contract as a service of this machine, on 127.0.0.1 only. It is ready when the promise resolves. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {port = 0, tokenHeader = names.token.name, adminToken = randomBytes(24).toString('hex')} = options
  const core = createCore(options)
  const stopping = new AbortController()
  const closed = Promise.withResolvers<void>()
  const app = createHttp(core, {adminToken, tokenHeader, signal: stopping.signal, stop: () => void close()})
  const {main, ...others} = core.credentials
  const url = await app.listen({host: '127.0.0.1', port}).catch((error) => {
    core.store.close()
    throw toListenFailure(error, port)
  })
  return {
    ...main,
    ...others,
    url,
    port: Number(new URL(url).port),
    adminToken,
    store: core.store,
    add: (table, record) => addRecord(core.store, table, record),
    faults: core.faults,
    requests: () => core.counter.read(),
    reset: () => core.reset(),
    close,
    closed: closed.promise,
  }

  async function close(): Promise<void> {
    if (stopping.signal.aborted) return closed.promise
    stopping.abort()
    await app.close()
    core.store.close()
    closed.resolve()
  }
}

/** The failure to listen on a port; any other error as it is. */
function toListenFailure(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error
  const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use'
  return new CliFailure(`Port ${port} ${why}.`, {
    code: 'SANDBOX_PORT',
    hints: ['Run again without --port to use a free one.'],
    cause: error,
  })
}
