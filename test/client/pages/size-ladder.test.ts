import {expect, test} from 'vitest'
import type {PagePlace} from '../../../src/client/pages.js'
import {readDownLadder} from '../../../src/client/read.js'
import type {Retry, Tried} from '../../../src/client/retry.js'
import {CliFailure} from '../../../src/core/errors.js'

const failure = (name: string) => new CliFailure(name, {code: 'TIMEOUT', exit: 'unavailable'})
const trouble = (name: string, tooLarge?: 'certainly' | 'maybe'): Tried<string> => ({
  trouble: {failure: failure(name), tries: 4, cost: 5, ...(tooLarge && {tooLarge})},
})
const value = (text: string): Tried<string> => ({value: text})

/** Tries up to five times, without waits; what is certainly too large is not tried again. */
const retry: Retry = async (attempt) => {
  for (let number = 1; ; number++) {
    const tried = await attempt(number)
    if ('value' in tried) return tried.value
    if (number > 4 || tried.trouble.tooLarge === 'certainly') throw tried.trouble.failure
  }
}

/** Reads a page of which the answers come in this order; with the places that were asked for. */
async function read(place: PagePlace, answers: Tried<string>[]) {
  const asked: string[] = []
  const tryPage = async ({number, size}: PagePlace, attempt: number) => {
    asked.push(`${number}/${size} try ${attempt}`)
    return answers[asked.length - 1] ?? value('late')
  }
  const outcome = await readDownLadder(place, {retry, tryPage}).catch((error: CliFailure) => error.message)
  return {outcome, asked}
}

test('a page that comes is asked for once, in its own size', async () => {
  expect(await read({number: 3, size: 2_000}, [value('a')])).toEqual({
    outcome: {answer: 'a', place: {number: 3, size: 2_000}},
    asked: ['3/2000 try 1'],
  })
})

test('a page that is certainly too large comes in its first half, which begins at the same record', async () => {
  const answers = [trouble('large', 'certainly'), trouble('large', 'certainly'), value('a')]

  expect(await read({number: 3, size: 2_000}, answers)).toEqual({
    outcome: {answer: 'a', place: {number: 9, size: 500}},
    asked: ['3/2000 try 1', '5/1000 try 1', '9/500 try 1'],
  })
})

test('a page that may be too large gets a second chance before each half', async () => {
  const answers = [trouble('slow', 'maybe'), trouble('slow', 'maybe'), trouble('slow', 'maybe'), value('a')]

  expect(await read({number: 2, size: 800}, answers)).toEqual({
    outcome: {answer: 'a', place: {number: 5, size: 200}},
    asked: ['2/800 try 1', '2/800 try 2', '3/400 try 3', '5/200 try 4'],
  })
})

test('other trouble in between does not make it smaller', async () => {
  const answers = [trouble('slow', 'maybe'), trouble('reset'), trouble('reset'), value('a')]

  expect((await read({number: 2, size: 800}, answers)).asked).toEqual([
    '2/800 try 1',
    '2/800 try 2',
    '2/800 try 3',
    '2/800 try 4',
  ])
})

test('what ends in other trouble is not tried smaller, even where it was too large before', async () => {
  const answers = [trouble('slow', 'maybe'), ...Array.from({length: 4}, () => trouble('reset'))]

  expect(await read({number: 1, size: 2_000}, answers)).toMatchObject({outcome: 'reset', asked: {length: 5}})
})

test('a page is not cut below 100 records, nor into unequal parts; the failure is that of the last try', async () => {
  const large = Array.from({length: 9}, (_, number) => trouble(`large ${number}`, 'certainly'))

  expect(await read({number: 1, size: 400}, large)).toEqual({
    outcome: 'large 2',
    asked: ['1/400 try 1', '1/200 try 1', '1/100 try 1'],
  })
  expect(await read({number: 2, size: 250}, large)).toMatchObject({asked: ['2/250 try 1', '3/125 try 1']})
  const slow = Array.from({length: 9}, () => trouble('slow', 'maybe'))
  expect((await read({number: 2, size: 100}, slow)).asked).toHaveLength(5)
})

test('the signal of the read reaches every try of every size', async () => {
  const {signal} = new AbortController()
  const cuts: unknown[] = []
  const noting: Retry = (attempt, cut) => {
    cuts.push(cut)
    return retry(attempt)
  }
  const answers = [trouble('large', 'certainly'), value('a')]

  await readDownLadder(
    {number: 1, size: 2_000},
    {retry: noting, tryPage: async () => answers.shift() ?? value('late'), cut: signal},
  )

  expect(cuts).toEqual([signal, signal])
})
