import {connect, createServer, type Socket} from 'node:net'

/** A pooler in transaction mode before a server that trusts everybody: each transaction has the next free session. */
export async function startPooler(target: {port: number; user: string; database: string}, size = 2) {
  const sockets: Socket[] = []
  const idle: Socket[] = []
  for (let count = 0; count < size; count++) {
    const backend = await openBackend(target)
    sockets.push(backend)
    idle.push(backend)
  }
  const waiting: ((backend: Socket) => void)[] = []
  const release = (backend: Socket) => {
    backend.removeAllListeners('data')
    const next = waiting.shift()
    if (next) next(backend)
    else idle.unshift(backend) // as pgbouncer does: the one used last is used next
  }
  const take = (): Promise<Socket> => {
    const backend = idle.shift()
    return backend ? Promise.resolve(backend) : new Promise((resolve) => waiting.push(resolve))
  }

  const pooler = createServer((client) => {
    sockets.push(client)
    client.on('error', () => undefined)
    let isStarted = false
    let backend: Promise<Socket> | undefined
    const answer = (held: Socket) => {
      let rest = Buffer.alloc(0)
      held.on('data', (bytes: Buffer) => {
        client.write(bytes)
        rest = Buffer.concat([rest, bytes])
        for (let length = lengthOf(rest); length !== undefined; length = lengthOf(rest)) {
          const isIdle = String.fromCharCode(rest[0] ?? 0, rest[5] ?? 0) === 'ZI'
          rest = rest.subarray(length)
          if (!isIdle) continue
          backend = undefined
          release(held)
        }
      })
      return held
    }
    client.on('data', async (bytes: Buffer) => {
      if (!isStarted) {
        isStarted = true
        client.write(welcome)
      } else if (bytes[0] !== terminate) {
        backend ??= take().then(answer)
        ;(await backend).write(bytes)
      }
    })
  })
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  const address = pooler.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close() {
      for (const socket of sockets) socket.destroy()
      pooler.close()
    },
  }
}

const terminate = 'X'.charCodeAt(0)
/** AuthenticationOk, a key of the pooler's own, ReadyForQuery. */
const welcome = Buffer.from('520000000800000000' + '4b0000000c00bc614e00bc614e' + '5a0000000549', 'hex')

function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined
  const length = bytes.readInt32BE(1) + 1
  return bytes.length < length ? undefined : length
}

async function openBackend({port, user, database}: {port: number; user: string; database: string}): Promise<Socket> {
  const backend = connect(port, '127.0.0.1')
  backend.on('error', () => undefined)
  const words = Buffer.from(`user\0${user}\0database\0${database}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(words.length + 8, 0)
  head.writeInt32BE(196_608, 4)
  backend.write(Buffer.concat([head, words]))
  await new Promise<void>((resolve) => {
    backend.on('data', (bytes: Buffer) => {
      if (bytes.subarray(-6).toString('hex') === '5a0000000549') resolve()
    })
  })
  backend.removeAllListeners('data')
  return backend
}
