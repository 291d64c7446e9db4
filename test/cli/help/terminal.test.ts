import {expect, test} from 'vitest'
import {hasColor, terminalOf} from '../../../src/cli/help/terminal-look.js'

const terminal = {isTTY: true, columns: 132}

test.each([
  ['a terminal', terminal, {TERM: 'xterm-256color'}, true],
  ['no terminal', {}, {}, false],
  ['a terminal that can do nothing', terminal, {TERM: 'dumb'}, false],
  ['NO_COLOR', terminal, {NO_COLOR: '1'}, false],
  ['an empty NO_COLOR', terminal, {NO_COLOR: ''}, true],
  ['VENDORCTL_NO_COLOR', terminal, {VENDORCTL_NO_COLOR: 'true'}, false],
  ['FORCE_COLOR', {}, {FORCE_COLOR: '1'}, true],
  ['FORCE_COLOR=0', terminal, {FORCE_COLOR: '0'}, false],
  ['NO_COLOR and FORCE_COLOR', terminal, {NO_COLOR: '1', FORCE_COLOR: '1'}, false],
])('colours with %s', (_, stream, environment, expected) => {
  expect(hasColor(stream, environment)).toBe(expected)
  expect(terminalOf(stream, environment).color).toBe(expected)
  expect(terminalOf(stream, environment, ['--no-color']).color).toBe(false)
})

test.each([
  ['of the terminal', terminal, {}, 132],
  ['that COLUMNS says', terminal, {COLUMNS: '60'}, 60],
  ['of 80 columns without a terminal', {}, {}, 80],
  ['of 80 columns when COLUMNS is no number', {}, {COLUMNS: 'wide'}, 80],
  ['of 80 columns in a terminal without a size', {isTTY: true, columns: 0}, {}, 80],
])('the width %s', (_, stream, environment, width) => {
  expect(terminalOf(stream, environment).width).toBe(width)
})
