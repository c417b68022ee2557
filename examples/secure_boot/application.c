/* The program that is started. Its start-up code is the loader's. */
#include "board.h"

int main(void)
{
    board_print("the application runs\n");
    board_stop();
}
