import {statSync} from 'node:fs'
import {type Day, type FileLoss, listDays} from '../verify/coverage.js'
import type {CoveredFile} from './written-files.js'

export type LostFile = {file: string; is: FileLoss}

/**
 * The days of `listDays`, with those marked that were proven by a file that is gone or changed, and these files. Only the
 * length of a file is compared.
 */
export function listDaysAndFiles(covered: readonly CoveredFile[], start: number, end: number) {
  const losses = findLosses(covered)
  const there = covered.filter((row) => !losses.has(row))
  const stillThere = listDays(there, start, end)
  const files = new Map<string, FileLoss>()
  const days = listDays(covered, start, end).map((day, place): Day => {
    if (day.state !== 'proven' || stillThere[place]?.state === 'proven') return day
    const ofDay = [...losses].filter(([{from, to}]) => from.slice(0, 10) <= day.day && to.slice(0, 10) >= day.day)
    for (const [{file}, is] of ofDay) files.set(file, is)
    return {...day, file: ofDay.some(([, is]) => is === 'gone') ? 'gone' : 'changed'}
  })

  return {days, lost: [...files].map(([file, is]): LostFile => ({file, is}))}
}

/** Files of earlier versions, of which nothing is recorded, are not reported. */
function findLosses(covered: readonly CoveredFile[]): Map<CoveredFile, FileLoss> {
  const sizes = new Map<string, number | undefined>()
  const losses = new Map<CoveredFile, FileLoss>()
  for (const row of covered) {
    const {file, bytes} = row
    if (bytes === undefined) continue
    if (!sizes.has(file)) sizes.set(file, sizeOf(file))
    const size = sizes.get(file)
    if (size === undefined) losses.set(row, 'gone')
    else if (size !== bytes) losses.set(row, 'changed')
  }

  return losses
}

/** A file that cannot be read counts as gone. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file).size
  } catch {
    return undefined
  }
}
