import {CliFailure, type FailureOptions} from '../core/errors.js'
import {shown} from '../values/shown.js'
import type {Meaning} from './answer.js'
import {nameOf, type OtherPath, type RequestName} from './request.js'

/** The exit that a status stands for. */
export function exitOf(status: number): 'denied' | 'refused' | 'unavailable' {
  if (status === 401 || status === 403) return 'denied'
  return status < 500 && status !== 408 ? 'refused' : 'unavailable'
}

/** An answer of something before the service: a gateway, a proxy, a web page. */
export function fromGateway(
  meaning: Extract<Meaning, {kind: 'foreign'}>,
  status: number,
  asked: RequestName,
): CliFailure {
  const text = meaning.message === '' ? '' : `: ${shown(meaning.message)}`
  if (meaning.what === 'message' && status === 403) return forbidden(meaning.message, asked)
  if (meaning.what === 'message' || meaning.what === 'rubbish') {
    return new CliFailure(`${nameOf(asked)} was answered ${status}${text}`, {
      ...foreignOptions(status, meaning.what, asked),
    })
  }

  const what = meaning.what === 'html' ? 'an HTML page' : 'an empty body'
  return new CliFailure(
    `${nameOf(asked)} was answered ${status} with ${what}, which is not an answer of the service.`,
    {
      ...foreignOptions(status, meaning.what, asked),
    },
  )
}

function foreignOptions(
  status: number,
  what: 'message' | 'html' | 'empty' | 'rubbish',
  {method, elsewhere}: RequestName,
): FailureOptions {
  const isRefusal = what !== 'html' && status !== 421
  const exit = isRefusal ? exitOf(status) : 'unavailable'
  const body =
    'If a proxy or gateway refuses a GET with a body, read by POST: vendorctl profiles set NAME readMethod=POST'
  const hints =
    method === 'GET' && (status === 403 || status === 400)
      ? [body, 'Look closer with: vendorctl doctor']
      : ['Look closer with: vendorctl doctor']
  if (status === 404) hints.unshift(...adviseOther(elsewhere))
  return {code: `HTTP_${status}`, exit, hints, retry: exit === 'unavailable' ? 'safe' : 'after-fix'}
}

/** Paths differ between services. */
function adviseOther(elsewhere: OtherPath | undefined): string[] {
  return elsewhere ? [`Some services have it at ${elsewhere.path}; to read it there: ${elsewhere.command}`] : []
}

/** [pub] The two messages of the gateway that mean different things. */
function forbidden(message: string, asked: RequestName): CliFailure {
  if (/missing authentication token/i.test(message)) {
    return new CliFailure(`${nameOf(asked)}: there is no such path or stage ("${shown(message)}").`, {
      code: 'NO_SUCH_PATH',
      exit: 'denied',
      hints: [
        ...adviseOther(asked.elsewhere),
        'Check base URL and stage: vendorctl profiles show. Paths can be set: vendorctl profiles set NAME routes=…',
      ],
    })
  }

  const isKey = /^forbidden$/i.test(message.trim())
  return new CliFailure(
    `${nameOf(asked)}: ${isKey ? 'the API key was refused' : 'access was refused'} ("${shown(message)}").`,
    {
      code: 'FORBIDDEN',
      exit: 'denied',
      hints: ['Check the API key with: vendorctl auth test. Store another with: vendorctl auth login'],
    },
  )
}
