import {Agent, createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'

export type Judge = {
  url: string
  /** Moments at which requests reached the service, in milliseconds of this process. */
  arrivals: readonly number[]
  /** Arrivals beyond what the service allows. */
  refused(): number
  close(): Promise<void>
}

/** The limits as the contract has them, written down once more: the judge takes nothing from the program. */
const [perSecond, together] = [20, 100]

/** Stands before the service, passes everything on, and counts by itself what arrives there, and when. */
export async function startJudge(target: string): Promise<Judge> {
  const arrivals: number[] = []
  const agent = new Agent({keepAlive: true})
  const take = (asked: IncomingMessage, answer: ServerResponse) => {
    arrivals.push(performance.now())
    const on = request(`${target}${asked.url}`, {method: asked.method, headers: asked.headers, agent}, (came) => {
      answer.writeHead(came.statusCode ?? 500, came.headers)
      came.pipe(answer)
    })
    on.on('error', () => answer.destroy())
    asked.on('error', () => on.destroy())
    asked.pipe(on)
  }
  const server = createServer((asked, answer) => take(asked, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    refused: () => countRefused(arrivals),
    close: () =>
      new Promise((resolve) => {
        agent.destroy()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** A token bucket that refuses what finds it empty. */
function countRefused(arrivals: readonly number[]): number {
  let [tokens, last, refused] = [together, arrivals[0] ?? 0, 0]
  for (const at of arrivals) {
    tokens = Math.min(together, tokens + ((at - last) * perSecond) / 1000)
    last = at
    if (tokens >= 1) tokens -= 1
    else refused += 1
  }
  return refused
}

/** How many requests the service allows in so many seconds after a rest. */
export function idealOf(seconds: number): number {
  return together + perSecond * seconds
}
