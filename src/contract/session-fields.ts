import type {Fields} from './grammar.js'

/** [pub] What a login sends; alone among all requests it is not wrapped in the standard request body. */
const login = {
  username: {kind: 'text', uses: ['create'], required: ['create'], about: 'Login of the user.'},
  password: {kind: 'text', uses: ['create'], required: ['create'], about: 'Password of the user.'},
} as const satisfies Fields

/** [pub] What a login answers. The two times are UTC in US form, such as 9/3/2020 11:17:40 PM. */
const token = {
  accessToken: {kind: 'text', uses: ['read'], about: 'The login token.'},
  userName: {kind: 'text', uses: ['read'], about: 'Login of the user.'},
  issued: {kind: 'text', uses: ['read'], about: 'When the token was issued, such as 9/3/2020 11:17:40 PM, UTC.'},
  expires: {kind: 'text', uses: ['read'], about: 'When the token expires, three days later, in the same form.'},
} as const satisfies Fields

export const sessionFields = {login, token} as const
