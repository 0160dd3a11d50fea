// An exception that is thrown and caught within a task; no header of C++ is needed.

namespace {

struct Held {
    void (*function)(void *);
    void *argument;
    ~Held() { function(argument); }
};

__attribute__((noinline)) void throw_through(void (*before)(void *), void *argument)
{
    Held held{before, argument};
    throw 17;
}

}  // namespace

// Calls the function while the exception unwinds the stack, and before.
extern "C" void throw_and_catch(void (*before)(void *), void *argument)
{
    before(argument);
    try {
        throw_through(before, argument);
    } catch (int number) {
        if (number == 17)
            return;
    }
    __builtin_trap();
}
