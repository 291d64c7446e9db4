import {request} from 'node:http'
import {CliFailure} from '../errors.js'

export type ControlAnswer = {status: number; body: unknown}

/** Asks a running sandbox for a control. Throws `unavailable` when it does not answer. */
export function askControl(
  {url, adminToken}: {url: string; adminToken: string},
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  sent?: unknown,
): Promise<ControlAnswer> {
  const body = sent === undefined ? '' : JSON.stringify(sent)
  const headers = {
    'x-sandbox-admin': adminToken,
    ...(sent !== undefined && {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)}),
  }

  return new Promise((resolve, reject) => {
    const asked = request(new URL(`/__sandbox/${path}`, url), {method, headers, timeout: 10_000}, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({status: answer.statusCode ?? 0, body: toBody(Buffer.concat(chunks))}))
      answer.on('error', () => reject(silent(url)))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => reject(silent(url)))
    asked.end(body)
  })
}

function toBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return bytes.toString('utf8')
  }
}

function silent(url: string): CliFailure {
  return new CliFailure(`The sandbox at ${url} does not answer.`, {
    code: 'SANDBOX_SILENT',
    exit: 'unavailable',
    retry: 'safe',
    hints: ['Start one with: vendorctl sandbox start'],
  })
}
