import {toForeignCode} from '../contract/failure-codes.js'
import {exitCodeOf, findRefusal} from '../contract/index.js'
import {CliFailure, type ErrorEntry, type FailureOptions} from '../core/errors.js'
import type {TransportFailure} from '../http/transport-failure.js'
import {quotaUsedUp} from '../quota/quota.js'
import {defined} from '../values/defined.js'
import {toMessageText} from '../values/message-text.js'
import type {Meaning} from './answer.js'
import {nameOf, type OtherPath, type RequestName} from './request.js'
import type {RefusalEntry} from './types.js'

const failed = (message: string, options: FailureOptions) => new CliFailure(message, options)

/** A failed exchange of a read or a login, in which nothing can be in doubt. */
export function fromTransport(failure: TransportFailure, asked: RequestName): CliFailure {
  if (failure.kind === 'tls')
    return failed(`${nameOf(asked)}: ${failure.message}. Nothing was sent.`, {
      code: 'TLS',
      hints: [
        'Check the base URL with: vendorctl profiles show. For a certificate of your own authority set NODE_EXTRA_CA_CERTS.',
      ],
    })
  return failed(`${nameOf(asked)}: ${failure.message}.`, {
    code: transportCodes[failure.kind],
    exit: 'unavailable',
    retry: 'safe',
    hints: ['Try again later, or look for the cause with: vendorctl doctor'],
  })
}

const transportCodes = {
  unreachable: 'UNREACHABLE',
  tls: 'TLS',
  reset: 'CONNECTION_RESET',
  cut: 'ANSWER_CUT',
  timeout: 'TIMEOUT',
  tooLarge: 'ANSWER_TOO_LARGE',
  bodyTooLarge: 'BODY_TOO_LARGE',
  encoding: 'ANSWER_ENCODING',
  protocol: 'ANSWER_NOT_HTTP',
  aborted: 'STOPPED',
} as const

/** An answer other than success, as the failure of a read or a login. */
export function fromMeaning(
  meaning: Exclude<Meaning, {kind: 'success'}>,
  status: number,
  asked: RequestName,
): CliFailure {
  if (meaning.kind === 'tokenNeeded') return tokenRefused(meaning.refusals, asked)
  if (meaning.kind === 'throttled')
    return failed(`${nameOf(asked)}: the service reports too many requests.`, {
      code: 'THROTTLED',
      retry: 'safe',
      hints: ['Try again in a few minutes, or send slower: vendorctl profiles set NAME rate=5'],
    })
  if (meaning.kind === 'quota') return quotaUsedUp(nameOf(asked), meaning)
  if (meaning.kind === 'redirect')
    return failed(
      `${nameOf(asked)} was answered with a redirect (${status}). It was not followed, so that the key is sent to no other address.`,
      {code: 'REDIRECT', hints: ['Set the right address as base URL: vendorctl profiles set NAME baseUrl=https://…']},
    )
  if (meaning.kind === 'refused') return fromRefusals(meaning.refusals, status, asked)
  return fromGateway(meaning, status, asked)
}

function fromRefusals(refusals: RefusalEntry[], status: number, asked: RequestName): CliFailure {
  const exit = exitOf(status)
  const [first] = refusals
  const more = refusals.length > 1 ? ` (and ${refusals.length - 1} more)` : ''
  const entries = refusals.map((entry) => toErrorEntry(entry, exit))
  return failed(
    `${nameOf(asked)} was refused: ${status} ${toMessageText(first?.code ?? '')} ${describe(first)}${more}`.trim(),
    {
      code: toForeignCode(toMessageText(first?.code ?? `HTTP_${status}`)),
      exit,
      hints: hintsOf(first),
      retry: exit === 'unavailable' ? 'safe' : 'after-fix',
      entries: entries.length > 1 ? entries : [],
    },
  )
}

const codesOfMissingRoutes = new Set(['HTTP_404', 'NO_SUCH_PATH', 'MISSING_RECORD'])

/** Whether a read failed because the service has no such route: no list answers 404 for another reason. */
export function isRouteMissing(error: unknown): error is CliFailure {
  return error instanceof CliFailure && codesOfMissingRoutes.has(error.code)
}

const codesOfForeignData = new Set(['DATA_ACCESS', 'UNAUTHORIZED_DATA_ACCESS'])

/** Whether a read failed because the service does not have it, or does not show it to this key. */
export function isOutOfReach(error: unknown): error is CliFailure {
  return isRouteMissing(error) || (error instanceof CliFailure && codesOfForeignData.has(error.code))
}

const unreadable = new Set(['ANSWER_CUT', 'ANSWER_ENCODING', 'ANSWER_SENSELESS', 'ANSWER_TOO_LARGE', 'NOT_A_LIST'])
const exitsOfReads = new Set(['unavailable', 'refused', 'denied', 'incomplete'])

/** Whether a failure says something of one read alone: other reads may well be answered. */
export function isOfOneRead(error: unknown): error is CliFailure {
  return error instanceof CliFailure && exitsOfReads.has(error.exit) && !error.code.startsWith('DATABASE_')
}

/** Whether the service answered a read, and the answer could not be understood. */
export function isUnreadable(error: unknown): error is CliFailure {
  return error instanceof CliFailure && unreadable.has(error.code)
}

function describe(entry: RefusalEntry | undefined): string {
  if (!entry) return ''
  const about = entry.message || findRefusal(entry.code)?.about || ''
  const pointers =
    entry.pointers.length > 0 ? ` [${entry.pointerName ?? 'pointers'}: ${entry.pointers.join(', ')}]` : ''
  return `${toMessageText(about)}${toMessageText(pointers) && ` ${toMessageText(pointers)}`}`
}

function hintsOf(entry: RefusalEntry | undefined): string[] {
  const hint = entry && findRefusal(entry.code)?.hint
  return [hint ?? 'The code is shown as the service sent it; its own documentation explains it.']
}

function toErrorEntry(entry: RefusalEntry, exit: 'denied' | 'refused' | 'unavailable'): ErrorEntry {
  const [hint] = hintsOf(entry)
  return {
    code: toForeignCode(toMessageText(entry.code)),
    message: describe(entry),
    exit: exitCodeOf(exit).code,
    pointers: entry.pointers,
    changed: 'none',
    retry: exit === 'unavailable' ? 'safe' : 'after-fix',
    ...defined({pointerName: entry.pointerName, hint}),
  }
}

function tokenRefused(refusals: RefusalEntry[], asked: RequestName): CliFailure {
  const refusal = refusals[0] ? ` ${toMessageText(refusals[0].code)} ${describe(refusals[0])}` : ''
  return failed(`${nameOf(asked)}: the login token was refused: 401${refusal}`.trimEnd(), {
    code: 'API_TOKEN',
    exit: 'denied',
    hints: ['Log in again: vendorctl auth login'],
  })
}

export function waitTooLong(milliseconds: number, asked: RequestName): CliFailure {
  const seconds = Math.ceil(milliseconds / 1000)
  return failed(`${nameOf(asked)}: the service asks to wait ${seconds} s, more than the 60 s this program waits.`, {
    code: 'WAIT_TOO_LONG',
    retry: 'safe',
    hints: [`Run the same command again in ${seconds} seconds.`],
  })
}

/** An answer that cannot be one of the service. */
export function senseless(message: string, ...hints: string[]): CliFailure {
  const usual = ['Check the base URL and look closer with: vendorctl doctor']
  return failed(message, {code: 'ANSWER_SENSELESS', retry: 'safe', hints: hints.length > 0 ? hints : usual})
}

function exitOf(status: number): 'denied' | 'refused' | 'unavailable' {
  if (status === 401 || status === 403) return 'denied'
  return status < 500 && status !== 408 ? 'refused' : 'unavailable'
}

/** An answer of something before the service: a gateway, a proxy, a web page. */
function fromGateway(meaning: Extract<Meaning, {kind: 'foreign'}>, status: number, asked: RequestName): CliFailure {
  const text = meaning.message === '' ? '' : `: ${toMessageText(meaning.message)}`
  if (meaning.what === 'message' && status === 403) return forbidden(meaning.message, asked)
  const page = meaning.what === 'html' ? 'an HTML page' : 'an empty body'
  const isText = meaning.what === 'message' || meaning.what === 'rubbish'
  const what = isText ? text : ` with ${page}, which is not an answer of the service.`
  return failed(`${nameOf(asked)} was answered ${status}${what}`, foreignOptions(status, meaning.what, asked))
}

function foreignOptions(
  status: number,
  what: Extract<Meaning, {kind: 'foreign'}>['what'],
  {method, elsewhere}: RequestName,
): FailureOptions {
  const isRefusal = what !== 'html' && status !== 421
  const exit = isRefusal ? exitOf(status) : 'unavailable'
  const body =
    'If a proxy or gateway refuses a GET with a body, read by POST: vendorctl profiles set NAME readMethod=POST'
  const hints = [
    ...(status === 404 ? adviseOther(elsewhere) : []),
    ...(method === 'GET' && (status === 403 || status === 400) ? [body] : []),
    'Look closer with: vendorctl doctor',
  ]
  return {code: `HTTP_${status}`, exit, hints, retry: exit === 'unavailable' ? 'safe' : 'after-fix'}
}

/** Paths differ between services. */
function adviseOther(elsewhere: OtherPath | undefined): string[] {
  return elsewhere ? [`Some services have it at ${elsewhere.path}; to read it there: ${elsewhere.command}`] : []
}

/** [pub] The two messages of the gateway that mean different things. */
function forbidden(message: string, asked: RequestName): CliFailure {
  if (/missing authentication token/i.test(message)) {
    return new CliFailure(`${nameOf(asked)}: there is no such path or stage ("${toMessageText(message)}").`, {
      code: 'NO_SUCH_PATH',
      hints: [
        ...adviseOther(asked.elsewhere),
        'Check base URL and stage: vendorctl profiles show. Paths can be set: vendorctl profiles set NAME routes=…',
      ],
    })
  }

  const isKey = /^forbidden$/i.test(message.trim())
  return new CliFailure(
    `${nameOf(asked)}: ${isKey ? 'the API key was refused' : 'access was refused'} ("${toMessageText(message)}").`,
    {
      code: 'FORBIDDEN',
      exit: 'denied',
      hints: ['Check the API key with: vendorctl auth test. Store another with: vendorctl auth login'],
    },
  )
}
