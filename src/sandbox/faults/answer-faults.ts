import {findRefusal} from '../../contract/index.js'
import * as answers from './answers.js'
import {checkHeader} from './arguments.js'
import {type Effect, type FaultKind, FaultProblem} from './effect.js'
import {hasGetBody, isRead} from './exchange-kinds.js'

/** Faults of the answer: another one than the service would give. */
export const answerFaults = {
  status: {
    form: '(status[,body][,after-commit])',
    takes: 2,
    about:
      'Answers this status: with html, empty, a refusal code, or this text; or (CODE) alone. Before the work is done, or after it.',
    create: toStatus,
  },
  throttle: {
    form: '(seconds)',
    takes: 1,
    about: 'Refuses as over the rate; with seconds also says Retry-After.',
    create: ([seconds]) => ({
      instead: () => answers.toGateway(429, 'Too Many Requests', seconds ? {'retry-after': seconds} : {}),
    }),
  },
  quota: {
    form: '',
    takes: 0,
    about: 'Refuses as over the quota of the day.',
    create: () => ({instead: () => answers.toGateway(429, 'Limit Exceeded')}),
  },
  redirect: {
    form: '(url[,status])',
    takes: 1,
    about: 'Answers 302, or another 3xx, to this URL.',
    create: toRedirect,
  },
  'reject-get-body': {
    form: '',
    takes: 0,
    about: 'Refuses a GET that has a body, with HTML, as some gateways do.',
    create: () => ({applies: hasGetBody, instead: () => answers.toHtml(403)}),
  },
  'dup-error': {
    form: '(all|first)',
    takes: 1,
    about: 'Refuses a create as a duplicate, blaming all elements or only the first.',
    create: ([blame = 'all']) => {
      if (blame !== 'all' && blame !== 'first') throw new FaultProblem(`"${blame}" is neither all nor first.`)
      return {
        applies: ({id}) => id in answers.duplicateCodes,
        instead: (exchange) => answers.toDuplicate(exchange, blame),
      }
    },
  },
  json: {
    form: '(text)',
    takes: 1,
    about: 'Does the work, and answers 200 with this text.',
    create: ([text = '']) => ({after: (answer) => ({...answer, status: 200, body: Buffer.from(text)})}),
  },
  ctype: {
    form: '(type)',
    takes: 1,
    about: 'Changes the content type of the answer, to text/html unless said otherwise.',
    create: ([contentType = 'text/html']) => {
      checkHeader('content-type', contentType)
      return {after: (answer) => ({...answer, contentType})}
    },
  },
  hdr: {
    form: '(name,value)',
    takes: 2,
    about: 'Sets a header of the answer.',
    create: ([name = '', value = '']) => {
      checkHeader(name, value)
      return {after: (answer) => ({...answer, headers: {...answer.headers, [name.toLowerCase()]: value}})}
    },
  },
  shuffle: {
    form: '',
    takes: 0,
    about: 'Answers a page with its records in another order.',
    create: (_given, {random}) => ({applies: isRead, after: (answer) => answers.shuffle(answer, random)}),
  },
} as const satisfies Record<string, FaultKind>

const afterCommit = ',after-commit'

function toStatus([first = '', rest]: string[]): Effect {
  if (findRefusal(first)) return {instead: () => answers.toRefusalAnswer(first, undefined)}
  const status = /^\d{3}$/.test(first) ? Number(first) : 0
  if (status < 200 || status > 599) throw new FaultProblem(`"${first}" is neither a status nor a refusal code.`)
  if (rest === afterCommit.slice(1)) return {after: () => answers.toStatusAnswer(status, undefined)}
  if (!rest?.endsWith(afterCommit)) return {instead: () => answers.toStatusAnswer(status, rest)}
  return {after: () => answers.toStatusAnswer(status, rest.slice(0, -afterCommit.length))}
}

function toRedirect([given = '']: string[]): Effect {
  const [, location = '', status = '302'] = /^(.*?)(?:,(3\d\d))?$/s.exec(given) ?? []
  if (location === '') throw new FaultProblem('redirect needs the URL that it leads to.')
  checkHeader('location', location)
  return {instead: () => answers.toGateway(Number(status), 'Redirect', {location})}
}
