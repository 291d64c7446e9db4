import {statSync} from 'node:fs'
import {type Day, type FileLoss, listDays} from '../verify/coverage.js'
import type {CoveredFile} from './written-files.js'

export type LostFile = {file: string; is: FileLoss}

/**
 * The days as `listDays` tells them, where the proven ones that no file holds any more as it was written are marked, and
 * the files that they were in. Of a file only its length is looked at.
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

/** Nothing is said of files that exports of before wrote, of which nothing is known. */
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

/** One that cannot be looked at is no more there than one that is gone. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file).size
  } catch {
    return undefined
  }
}
