import {expect, test} from 'vitest'
import {gatherNextSteps, renderNextSteps} from '../../../src/cli/runs/present-runs.js'

const run = (state: string, next: string) => ({id: next, state, next})

test('names the next step of every run that waits for somebody, and changes no run', () => {
  const runs = [run('running', 'wait'), run('inDoubt', 'reconcile'), run('done', 'nothing'), run('damaged', 'show')]
  const steps: string[] = []

  const listed = [...gatherNextSteps(runs, steps)]

  expect(listed).toEqual(runs)
  expect(renderNextSteps(steps)).toEqual(['→ reconcile', '→ show'])
})

test('names five, and how to see the others', () => {
  const steps = Array.from({length: 7}, (_, place) => `step ${place}`)

  expect(renderNextSteps(steps).slice(-2)).toEqual([
    '→ step 4',
    '… and 2 more: vendorctl runs list --open --columns next',
  ])
})
