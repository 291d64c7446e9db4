import {randomBytes, timingSafeEqual} from 'node:crypto'
import {request} from 'node:http'
import {CliFailure} from '../../core/errors.js'
import {challengeHeader, toProof} from '../../core/sandbox-proof.js'
import type {JsonRecord} from '../../values/json.js'
import {simpleTable} from '../terminal/simple-table.js'

type Refusal = 'FAULT' | 'NO_REQUEST' | 'SANDBOX_CLOCK'

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'
type Sandbox = {url: string; adminToken: string}

const silentMilliseconds = 10_000
const longestAnswer = 10_485_760

/**
 * Asks a running sandbox for a control once it has proven itself. Throws the failure `refused` when what was sent is
 * wrong, `unavailable` when the sandbox does not answer.
 */
export async function askControl(
  sandbox: Sandbox,
  method: Method,
  path: string,
  {sent, refused = 'FAULT'}: {sent?: JsonRecord; refused?: Refusal} = {},
): Promise<unknown> {
  await proveSandbox(sandbox.url, sandbox.adminToken)
  const body = sent === undefined ? '' : JSON.stringify(sent)
  const headers = {
    'x-sandbox-admin': sandbox.adminToken,
    ...(sent !== undefined && {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)}),
  }
  const answer = await exchange(sandbox.url, method, path, headers, body)
  if (answer.status === 400) throw toRefusal(answer.body, refused)
  if (answer.status !== 200) throw silent(sandbox.url)
  return answer.body
}

function toRefusal(body: unknown, code: Refusal): CliFailure {
  const {message = 'The sandbox refused this.', hints} = (body ?? {}) as {message?: string; hints?: string[]}
  return new CliFailure(message, {code, ...(hints && {hints})})
}

/** Stops a sandbox; false when none listens at its address any more. */
export async function stopSandbox(sandbox: Sandbox): Promise<boolean> {
  try {
    await askControl(sandbox, 'POST', 'stop')
    return true
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'SANDBOX_GONE') return false
    throw error
  }
}

/**
 * Throws `unsafe` when what listens at the address is not the sandbox that knows the secret, which is its admin token or
 * one of its API keys: nothing secret has been sent to it then.
 */
export async function proveSandbox(url: string, secret: string): Promise<void> {
  const challenge = randomBytes(32).toString('hex')
  const {body} = await exchange(url, 'GET', 'proof', {[challengeHeader]: challenge}, '')
  const wanted = Buffer.from(toProof(secret, Number(new URL(url).port), challenge))
  const given = readProofs(body).map((proof) => Buffer.from(proof))
  if (given.some((proof) => proof.length === wanted.length && timingSafeEqual(proof, wanted))) return
  throw new CliFailure(`The program at ${url} is not the sandbox that was started there; nothing was sent to it.`, {
    code: 'SANDBOX_REPLACED',
    hints: ['Start another with: vendorctl sandbox start --detach'],
  })
}

function readProofs(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('proofs' in body) || !Array.isArray(body.proofs)) return []
  return body.proofs.map(String)
}

function exchange(
  url: string,
  method: Method,
  path: string,
  headers: Record<string, string | number>,
  body: string,
): Promise<{status: number; body: unknown}> {
  return new Promise((resolve, reject) => {
    const options = {method, headers, timeout: silentMilliseconds, agent: false} // a kept connection may be a dead one
    const asked = request(new URL(`/__sandbox/${path}`, url), options, (answer) => {
      const chunks: Buffer[] = []
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > longestAnswer) asked.destroy()
        else chunks.push(chunk)
      })
      answer.on('end', () => resolve({status: answer.statusCode ?? 0, body: toBody(Buffer.concat(chunks))}))
      answer.on('error', () => reject(silent(url)))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('upgrade', () => asked.destroy())
    asked.on('error', (error) => reject('code' in error && error.code === 'ECONNREFUSED' ? gone(url) : silent(url)))
    asked.on('close', () => reject(silent(url)))
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
    retry: 'safe',
    hints: ['Try again when it is less busy, or stop its process.'],
  })
}

/** The failure for a sandbox that no longer runs. */
function gone(url: string): CliFailure {
  return new CliFailure(`No sandbox is running at ${url}.`, {
    code: 'SANDBOX_GONE',
    hints: ['Start one with: vendorctl sandbox start --detach'],
  })
}

/** The faults that are set, with how often each was possible and how often it fired. */
export async function presentFaults(body: unknown): Promise<{data: JsonRecord[]; text: string}> {
  const {faults} = body as {faults: {fault: string; seen: number; fired: number}[]}
  const rows = faults.map(({fault, seen, fired}) => [fault, String(seen), String(fired)])
  const text = rows.length > 0 ? await simpleTable(['fault', 'seen', 'fired'], rows) : 'No faults are set.\n'
  return {data: faults.map((fault) => ({...fault})), text}
}
