import type {Fields, Row} from '../base/grammar.js'
import {text} from '../base/rows.js'

/** [pub] What a login sends; alone among all requests it is not wrapped in the standard request body. */
const login = {
  username: text(['create'], 'Login of the user.', {required: ['create']}),
  password: text(['create'], 'Password of the user.', {required: ['create']}),
} as const satisfies Fields

/** [pub] What a login answers. The two times are UTC in US form, such as 9/3/2020 11:17:40 PM. */
const token = {
  accessToken: text(['read'], 'The login token.'),
  userName: text(['read'], 'Login of the user.'),
  issued: text(['read'], 'When the token was issued, such as 9/3/2020 11:17:40 PM, UTC.'),
  expires: text(['read'], 'When the token expires, three days later, in the same form.'),
} as const satisfies Fields

export const sessionFields = {login, token} as const

export const operations = {
  'auth.login': {
    kind: 'session',
    verb: 'POST',
    path: '/authenticate',
    since: 'v1',
    needsToken: false, // [pub]
    sends: 'login',
    answer: 'token',
    refuses: ['INVALID_LOGIN', 'NO_API_ACCESS', 'MISSING_REQUIRED_DATA', 'GENERIC_ERROR', 'UNKNOWN_ERROR'],
    about: 'Log in and keep the token.',
  },
  'auth.test': {
    kind: 'session',
    verb: 'POST',
    path: '/token-test',
    since: 'v1',
    needsToken: false, // [pub]
    sends: null,
    answer: 'text',
    refuses: ['UNKNOWN_ERROR'],
    about: 'Check the API key.',
  },
} as const satisfies Record<string, Row>
