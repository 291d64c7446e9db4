import {CliFailure} from '../core/errors.js'
import {openStore, type Store} from './store/record-store.js'

/** Opens the store. Throws a failure that names the file when it cannot be one of a sandbox. */
export function openWorld(database: string): Store {
  try {
    return openStore(database)
  } catch (error) {
    if (error instanceof CliFailure) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new CliFailure(`The database ${database} cannot be used: ${why}`, {
      code: 'SANDBOX_DATABASE',
      hints: ['Name another file, or leave it out to keep nothing of the sandbox.'],
      cause: error,
    })
  }
}

/** The failure to listen on a port; any other error as it is. */
export function toListenFailure(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error
  const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use'
  return new CliFailure(`Port ${port} ${why}.`, {
    code: 'SANDBOX_PORT',
    hints: ['Run again without --port to use a free one.'],
    cause: error,
  })
}
