import {type AddressInfo, connect, createServer, type Socket} from 'node:net'

/** The way of one machine to the store. */
export type StoreDoor = {
  url: string
  /** Answers of the store to statements: round trips. */
  trips(): number
  /** Cuts what is connected, and refuses new connections, until it is opened. */
  shut(): void
  /** Takes everything and answers nothing, until it is opened. */
  silence(): void
  open(): void
  /** The next statement reaches the store and is committed; the connection is cut in place of its answer. */
  cutNextAnswer(): void
  /** Answers that were cut. */
  cuts(): number
  close(): Promise<void>
}

type Mode = 'open' | 'shut' | 'silent'

const readyForQuery = 0x5a

export async function openDoor(database: string): Promise<StoreDoor> {
  const {hostname, port} = new URL(database)
  const sockets = new Set<Socket>()
  let [mode, trips, cuts, isCutting]: [Mode, number, number, boolean] = ['open', 0, 0, false]
  const pass = (machine: Socket) => {
    if (mode === 'shut') {
      machine.destroy()
      return
    }
    const store = connect(Number(port), hostname)
    let isReady = false
    const countReady = readyCounter()
    for (const [one, other] of [
      [machine, store],
      [store, machine],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        if (mode !== 'silent') other.destroy()
      })
    }
    machine.on('data', (bytes) => {
      if (mode !== 'silent') store.write(bytes)
    })
    store.on('data', (bytes) => {
      const ready = countReady(bytes)
      if (isReady) trips += ready
      if (isReady && isCutting) {
        isCutting = false
        cuts += 1
        store.destroy()
        machine.destroy()
      } else if (mode !== 'silent') machine.write(bytes)
      if (ready > 0) isReady = true
    })
  }
  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(database)
  url.port = String((server.address() as AddressInfo).port)
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: url.href,
    trips: () => trips,
    shut: () => {
      mode = 'shut'
      cutAll()
    },
    silence: () => {
      mode = 'silent'
    },
    open: () => {
      if (mode === 'silent') cutAll() // what was swallowed cannot be made good
      mode = 'open'
    },
    cutNextAnswer: () => {
      isCutting = true
    },
    cuts: () => cuts,
    close: () =>
      new Promise((resolve) => {
        cutAll()
        server.close(() => resolve())
      }),
  }
}

/** How many statements these bytes of the server end; messages may be split anywhere. */
function readyCounter(): (bytes: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    let ready = 0
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      if (rest[0] === readyForQuery) ready += 1
      rest = rest.subarray(1 + rest.readInt32BE(1))
    }
    return ready
  }
}
