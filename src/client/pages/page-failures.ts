import type {ErrorCode} from '../../contract/failure-codes.js'
import {CliFailure} from '../../core/errors.js'
import {shown} from '../../values/shown.js'
import type {Asked} from '../failures.js'

export function tooMany(count: number, size: number, {method, path}: Asked): CliFailure {
  return new CliFailure(`${method} ${shown(path)}: ${count} records came on a page of ${size}.`, {
    code: 'ANSWER_SENSELESS',
    exit: 'unavailable',
    hints: ['Look closer with: vendorctl doctor'],
  })
}

export function pageRepeated(number: number, asked: Asked): CliFailure {
  return incomplete(asked, 'PAGE_REPEATED', `page ${number} is the same as the page before; the service does not page`)
}

export function emptyPage(number: number, totalPages: number, asked: Asked): CliFailure {
  return incomplete(asked, 'PAGE_EMPTY', `page ${number} of ${totalPages} came empty, twice`)
}

export function sizeChanged({from, to, number}: {from: number; to: number; number: number}, asked: Asked): CliFailure {
  return incomplete(asked, 'PAGE_SIZE_CHANGED', `the page size changed from ${from} to ${to} at page ${number}`)
}

export function drifted(drift: string[], asked: Asked): CliFailure {
  return incomplete(asked, 'DRIFT', `records changed while they were read (${drift.join('; ')}); some may be missing`)
}

function incomplete({method, path}: Asked, code: ErrorCode, what: string): CliFailure {
  return new CliFailure(`${method} ${shown(path)}: ${what}.`, {
    code,
    exit: 'incomplete',
    retry: 'safe',
    hints: ['Read again; narrower filters or a shorter range make one page of it.'],
  })
}
