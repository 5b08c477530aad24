package session

const noFollow = 0
