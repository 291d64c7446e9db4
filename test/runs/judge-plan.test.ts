import {expect, test} from 'vitest'
import type {Needs} from '../../src/runs/write/needs.js'
import {type WriteRequest, write} from '../../src/runs/write/write.js'

test('progress rests while a person may be asked about the rows', async () => {
  const seen: unknown[] = []
  const judge = () => {
    seen.push('asked')
    throw new Error('no more is needed')
  }
  const request = {rows: async () => ({phase: 'compared'}), judge} as unknown as WriteRequest
  const needs = {person: {progress: (text: string | undefined) => seen.push(text)}} as unknown as Needs

  await expect(write(request, needs)).rejects.toThrow('no more is needed')

  expect(seen).toEqual([undefined, 'asked'])
})
