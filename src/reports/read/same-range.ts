import type {Page} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import type {Window} from './windows.js'

/** Without dates the service measures from its own clock; a range that was asked for must stay the same. */
export function checkSameRange(first: Window, now: Window, {number}: Pick<Page, 'number'>, asked: Window): void {
  const isOpen = asked.start === undefined && asked.end === undefined
  if (isOpen || (first.start === now.start && first.end === now.end)) return
  throw new CliFailure(`The service served another range on page ${number} than on the first page.`, {
    code: 'SERVED_RANGE',
    exit: 'incomplete',
    retry: 'safe',
    hints: ['Run the same command again.'],
  })
}
