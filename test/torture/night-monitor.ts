import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

export type MonitorState = 'up' | 'down' | 'hangs' | 'answers 500'

/** What the monitor took: the path after its name, such as `/start`, with the run that it is about. */
export type Ping = {
  job: string
  kind: 'start' | 'success' | 'failure'
  code: string
  rid: string
  night: number
  body: string
}

export type Monitor = {
  url: string
  /** Answered by 200, in the order of arrival. */
  taken: Ping[]
  set(state: MonitorState, night: number): void
  close(): Promise<void>
}

/** A monitor as healthchecks is one, that is sometimes not there. */
export async function startMonitor(): Promise<Monitor> {
  const taken: Ping[] = []
  let [state, night]: [MonitorState, number] = ['up', 0]
  const server = createServer((request, response) => {
    if (state === 'down') return void request.socket.destroy()
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      if (state === 'hangs') return
      response.statusCode = state === 'up' ? 200 : 500
      if (state === 'up') taken.push({...toPing(request.url ?? ''), night, body})
      response.end('OK')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    set(next, at) {
      ;[state, night] = [next, at]
      server.closeAllConnections()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function toPing(url: string): Omit<Ping, 'night' | 'body'> {
  const {pathname, searchParams} = new URL(url, 'http://monitor')
  const [, job = '', end = ''] = pathname.split('/')
  const kind = end === 'start' ? 'start' : end === '' ? 'success' : 'failure'
  return {job, kind, code: end, rid: searchParams.get('rid') ?? ''}
}
